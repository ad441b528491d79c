import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startIdleTimer } from '../../../src/models/idle-timer.js'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function start(ms = 100) {
  const parent = new AbortController()
  return { parent, timer: startIdleTimer(parent.signal, ms) }
}

describe('an idle timer', () => {
  it('aborts when nothing was heard for its time', () => {
    const { timer } = start()
    vi.advanceTimersByTime(99)
    expect([timer.signal.aborted, timer.expired()]).toEqual([false, false])
    vi.advanceTimersByTime(1)
    expect([timer.signal.aborted, timer.expired()]).toEqual([true, true])
  })

  it('begins anew with whatever is heard, however long all of it takes', () => {
    const { timer } = start()
    for (let i = 0; i < 50; i++) {
      vi.advanceTimersByTime(99)
      timer.alive()
    }
    expect(timer.signal.aborted).toBe(false)
    vi.advanceTimersByTime(100)
    expect(timer.expired()).toBe(true)
  })

  it('aborts with its parent, and then it was not the timer', () => {
    const { parent, timer } = start()
    parent.abort()
    expect([timer.signal.aborted, timer.expired()]).toEqual([true, false])
    vi.advanceTimersByTime(1_000)
    expect(timer.expired()).toBe(false)
  })

  it('is aborted from the start by a parent that is', () => {
    const timer = startIdleTimer(AbortSignal.abort(), 100)
    expect([timer.signal.aborted, timer.expired()]).toEqual([true, false])
    timer.stop()
  })

  it('that was stopped lets go of what still listens, and leaves no timer behind', () => {
    const { timer } = start()
    timer.stop()
    expect(vi.getTimerCount()).toBe(0)
    expect(timer.signal.aborted).toBe(true)
  })
})
