import { expect, test } from 'vitest'
import { freshFolder } from '../kit/fresh-folder.js'
import { startProcess } from '../kit/processes.js'

const UNSET = [
  'DATABASE_URL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'OPENAI_MODEL',
  'PERDURE_UI_URL',
  'TEMPORAL_ADDRESS',
]

test('npm run knowledge-base indexes the documents, and answers from two of them and an order', async () => {
  const env = {
    ...Object.fromEntries(UNSET.map((name) => [name, undefined])),
    PERDURE_DIR: await freshFolder(),
  }
  const question =
    'Order A1001 has not come. Can I cancel it and get the money back, and how long does a refund take to arrive?'
  const run = startProcess('npm', ['run', 'knowledge-base', '--', question, '--once'], { env })
  expect(await run.exited).toBe(0)
  const said = run.stderr()
  expect(said).toMatch(/model +no OPENAI_API_KEY or OPENAI_BASE_URL: a rule-based stand-in/)
  const [, passages] = /index +(\d+) passages of \d+ documents in /.exec(said) ?? []
  expect(Number(passages)).toBeGreaterThanOrEqual(300)
  const shown = run.stdout()
  expect(shown).toMatch(/step 1 · 1 call.*\n +order_status\(orderId: "A1001"\)/)
  expect(shown).toMatch(/answered · 6 steps/)
  const answer = shown.split('\n').find((line) => line.startsWith('Order A1001')) ?? ''
  expect(answer).toMatch(
    /2026-11-14 and is late\..*gets the money back.*\[shop\/delivery\.en\.md#4\]/,
  )
  expect(answer).toMatch(/3 to 5 working days.*\[shop\/refunds\.en\.md#3\]/)
})
