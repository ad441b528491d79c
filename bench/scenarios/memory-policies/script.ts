// A conversation of 15 turns with a shop's assistant: what is asked, which tools are called, what they
// return and what is answered. Made up; the sizes are those of the first example.

/** One call, and the observation that answers it. */
interface ScriptedCall {
  readonly name: 'lookup_order' | 'search_articles'
  readonly args: { readonly [key: string]: string }
  readonly result: string
}

/** One turn of the conversation. */
export interface ScriptedTurn {
  readonly question: string
  readonly calls: readonly ScriptedCall[]
  readonly answer: string
  /** What a summary says of it. */
  readonly note: string
}

/** What the last question is about: told in answers of the four turns before it. */
export const NEEDED_FACTS = ['R-2291', '31.90 euros', '14 March'] as const
const [RETURN, AMOUNT, DATE] = NEEDED_FACTS
/** Told in the third turn, twelve before the last. */
export const OLD_FACT = 'Lena Brandt'

export const CONVERSATION: readonly ScriptedTurn[] = [
  turn('Hello, I have some questions about my orders. The newest one is 7101.', {
    about: [7101],
    answer: 'Order 7101 is packed and leaves the warehouse today.',
    note: '7101 packed.',
  }),
  turn('And where is 7102?', {
    about: [7102],
    answer: 'Order 7102 is with the carrier and arrives on Thursday.',
    note: '7102 arrives on Thursday.',
  }),
  turn(`Please note for all of them: my neighbour ${OLD_FACT} may take parcels for me.`, {
    about: [],
    answer: `I noted it: your neighbour ${OLD_FACT} may take your parcels.`,
    note: `Neighbour ${OLD_FACT} may take parcels.`,
  }),
  turn('Is 7103 paid? The bank shows two bookings.', {
    about: [7103, 'double booking'],
    answer: 'Order 7103 is paid once; the bank drops the second booking within five days.',
    note: '7103 paid once.',
  }),
  turn('Can I still change the colour of the lamp in 7104?', {
    about: [7104, 'change an order'],
    answer: 'Yes: order 7104 is not packed yet, so the colour can be changed until tonight.',
    note: '7104 can be changed until tonight.',
  }),
  turn('Then make it green, please.', {
    about: ['lamp colours'],
    answer: 'The lamp of order 7104 comes in green.',
    note: 'Lamp of 7104: green.',
  }),
  turn('What did I order in January? Look through all of them.', {
    about: Array.from({ length: 16 }, (_, i) => 7084 + i),
    answer: 'In January you ordered a kettle (7098), two towels (7099) and small things.',
    note: 'January: kettle 7098, towels 7099.',
  }),
  turn('The kettle drips. Is there a warranty?', {
    about: ['warranty kettle'],
    answer: 'The kettle has a warranty of two years, so a new one can be sent.',
    note: 'Kettle: two years of warranty.',
  }),
  turn('How do I send the old one back?', {
    about: ['return label', 7098],
    answer: 'You get a label by mail and hand the parcel in at any shop of the carrier.',
    note: 'Label comes by mail.',
  }),
  turn('Does a return cost anything?', {
    about: ['return costs'],
    answer: 'Returns under the warranty are free.',
    note: 'Returns are free.',
  }),
  turn('Good. Then I return the kettle.', {
    about: [7098, 'return number'],
    answer: `The return of the kettle has the number ${RETURN}.`,
    note: `Return of the kettle: ${RETURN}.`,
  }),
  turn('How much do I get back?', {
    about: ['refund'],
    answer: `You get ${AMOUNT} back for the kettle, its full price.`,
    note: `Refund: ${AMOUNT}.`,
  }),
  turn('By when must the parcel be on its way?', {
    about: ['return period'],
    answer: `The parcel must be handed in by ${DATE}.`,
    note: `Hand in by ${DATE}.`,
  }),
  turn('And the towels, could they go into the same parcel?', {
    about: [7099],
    answer: 'The towels cannot go back any more: their period is over.',
    note: 'Towels cannot go back.',
  }),
  turn('Sum it up for me, please: number, amount and date of my return.', {
    about: [],
    answer: `Return ${RETURN}: ${AMOUNT} back, hand it in by ${DATE}.`,
    note: '',
  }),
]

function turn(
  question: string,
  {
    about,
    ...said
  }: Omit<ScriptedTurn, 'question' | 'calls'> & { readonly about: readonly (number | string)[] },
): ScriptedTurn {
  return { question, calls: about.map(call), ...said }
}

function call(subject: number | string): ScriptedCall {
  return typeof subject === 'number'
    ? { name: 'lookup_order', args: { order_id: `${subject}` }, result: order(subject) }
    : { name: 'search_articles', args: { query: subject }, result: article(subject) }
}

function order(id: number): string {
  const line = (n: number) => ({
    sku: `S-${id}-${n}`,
    title: `item ${n} of order ${id}`,
    amount: n,
  })
  return JSON.stringify({
    order_id: id,
    status: 'processing',
    placed_at: `2026-0${(id % 3) + 1}-1${id % 9}T09:30:00Z`,
    lines: [1, 2, 3, 4, 5].map(line),
    shipping: { carrier: 'parcel service', tracking: `PS${id}00${id}`, country: 'DE' },
    payments: [{ kind: 'card', captured: true, reference: `pay_${id}_1` }],
    notes: 'packed by hand; fragile; leave with a neighbour if nobody opens the door',
  })
}

function article(query: string): string {
  const passage = `About ${query}: see the general terms, section ${query.length}. A customer finds it under help, and the service desk can look it up for any order. `
  return passage.repeat(5).trim()
}
