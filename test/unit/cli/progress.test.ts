import { describe, expect, it } from 'vitest'
import { startProgress } from '../../../src/cli/progress.js'
import { stream } from './streams.js'

describe('a progress bar', () => {
  it('is drawn over itself on a terminal, and taken away', () => {
    const { stream: terminal, text } = stream({ colours: true })
    const progress = startProgress(terminal, 4)
    progress.show(1, 'ticket-1')
    progress.show(4, '')
    progress.end()
    expect(text()).toBe(
      `\r\u001b[K${'█'.repeat(6)}${'░'.repeat(18)} 1/4 · ticket-1\r\u001b[K${'█'.repeat(24)} 4/4\r\u001b[K`,
    )
  })

  it('is full where there is nothing to do', () => {
    const { stream: terminal, text } = stream({ colours: true })
    startProgress(terminal, 0).show(0, '')
    expect(text()).toContain(`${'█'.repeat(24)} 0/0`)
  })

  it('writes nothing into pipes and CI logs', () => {
    const { stream: pipe, text } = stream()
    const progress = startProgress(pipe, 4)
    progress.show(1, 'ticket-1')
    progress.end()
    expect(text()).toBe('')
  })
})
