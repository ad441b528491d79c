/** What happens in a turn of a conversation. */
type TurnKind =
  | 'plain'
  | 'lookup'
  | 'steer'
  | 'interrupt'
  | 'twice'
  | 'approve'
  | 'deny'
  | 'edit'
  | 'expire'

/** One turn: what is asked, and what must come of it. */
export interface PlannedTurn {
  readonly number: number
  readonly kind: TurnKind
  readonly question: string
  readonly answer: string
  /** What is said while it runs. */
  readonly steering: string | null
  /** What is paid in it. */
  readonly paid: number | null
}

/** Turns of a conversation. */
const TURNS = 30

/** By the turn's number; the others are plain and lookups in turn. */
const KINDS = new Map<number, TurnKind>([
  ...[3, 9, 15, 21, 27].map((n): [number, TurnKind] => [n, 'steer']),
  [5, 'approve'],
  [7, 'interrupt'],
  [11, 'deny'],
  [13, 'twice'],
  [17, 'edit'],
  [23, 'expire'],
  [25, 'interrupt'],
  [29, 'approve'],
])

const PAID: Partial<Record<TurnKind, number>> = { approve: 150, edit: 80 }

/** What the model says of a payment, by what it reads. */
const OUTCOMES: Partial<Record<TurnKind, string>> = {
  approve: 'paid 150',
  deny: 'denied',
  edit: 'paid 80',
  expire: 'expired',
}

/** The turns of one conversation. */
export function plannedTurns(conversation: string): PlannedTurn[] {
  return Array.from({ length: TURNS }, (_, i) => {
    const number = i + 1
    const kind = KINDS.get(number) ?? (number % 2 === 0 ? 'plain' : 'lookup')
    const outcome = OUTCOMES[kind]
    return {
      number,
      kind,
      question: `[${conversation}] turn ${number}: ${kind}`,
      answer: `answer ${number}${answerPart(kind, number, outcome)}`,
      steering: kind === 'steer' ? `also ${number}` : null,
      paid: PAID[kind] ?? null,
    }
  })
}

function answerPart(kind: TurnKind, number: number, outcome: string | undefined): string {
  if (outcome !== undefined) return `: ${outcome}`
  if (kind === 'steer') return ` with also ${number}`
  return kind === 'interrupt' ? ' interrupted' : ''
}
