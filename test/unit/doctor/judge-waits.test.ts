import { describe, expect, it } from 'vitest'
import { judgeWaits } from '../../../src/doctor/judge-waits.js'

function judge(waits: readonly number[]) {
  return judgeWaits(waits, '3 runs')
}

describe('the waits of tasks', () => {
  it('are not judged when there are few', () => {
    expect(judge(Array.from({ length: 19 }, () => 50)).status).toBe('skip')
  })

  it('are ok when three of four are short, whatever the others are', () => {
    const waits = [...Array.from({ length: 16 }, () => 2), 900, 900, 900, 900]
    expect(judge(waits)).toEqual({
      status: 'ok',
      text: 'a task waits 2 ms to be started, three of four at most 2 ms (20 tasks in 3 runs)',
    })
  })

  it('of an untuned server name the settings', () => {
    const { status, fix } = judge(Array.from({ length: 40 }, (_, i) => i))
    expect(status).toBe('warn')
    expect(fix).toContain('history.transferProcessorMaxPollRPS')
    expect(fix).toContain('system.enableActivityEagerExecution')
  })

  it('of workers that are not free ask for more of them', () => {
    const { status, fix } = judge(Array.from({ length: 40 }, () => 2_000))
    expect(status).toBe('warn')
    expect(fix).toContain('add workers')
  })
})
