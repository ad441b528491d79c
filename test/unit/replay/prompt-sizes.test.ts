import { fileURLToPath } from 'node:url'
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/data-converter-helpers.js'
import { describe, expect, it } from 'vitest'
import { readRun } from '../../../src/replay/read-run.js'
import { readHistory } from '../../../src/replay.js'

async function promptsOf(...names: readonly string[]) {
  const files = names.map((name) =>
    fileURLToPath(new URL(`../../sandbox/histories/${name}.json`, import.meta.url)),
  )
  const parts = await Promise.all(files.map(readHistory))
  const executions = parts.flatMap((part) => part.executions)
  const { transcript } = await readRun({ id: 'x', executions }, loadDataConverter())
  return transcript.steps.map(({ prompt }) => prompt?.messages)
}

describe('how much the model was asked', () => {
  it('is told for each step, over a whole chain, and for its second half alone', async () => {
    expect(await promptsOf('continued-as-new', 'continued-as-new-2')).toEqual([
      1, 3, 5, 7, 9, 11, 13,
    ])
    const second = await promptsOf('continued-as-new-2')
    expect(second.length).toBeGreaterThan(0)
    expect(second).toEqual([1, 3, 5, 7, 9, 11, 13].slice(-second.length))
  })

  it('is not told where an older loop asked with other words, here for the forced answer', async () => {
    expect(await promptsOf('max-steps')).toEqual([1, 3, 5, undefined])
  })

  it('is told for a step whose model call failed or was cancelled', async () => {
    expect(await promptsOf('model-error')).toEqual([1])
    expect(await promptsOf('cancelled-in-model-call')).toEqual([1])
  })
})
