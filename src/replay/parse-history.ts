import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { isObject } from '../contract/json.js'
import { HistoryFileError } from './errors/history-file-error.js'
import { historyFromJson } from './history-json.js'
import type { RecordedExecution, RunHistory } from './run-history.js'

/**
 * Reads the history of a run from a file: of `perdure export`, of `temporal workflow show --output json`, or
 * of the Temporal UI's download in any of its formats.
 *
 * @throws HistoryFileError
 */
export async function readHistory(file: string): Promise<RunHistory> {
  return parseHistory(await readFile(file, 'utf8'), basename(file))
}

/**
 * The history of a run from the text of such a file.
 *
 * @param name what errors call it
 * @throws HistoryFileError
 */
export function parseHistory(text: string, name: string): RunHistory {
  const json = parse(text, name)
  const parts = isObject(json) && Array.isArray(json['executions']) ? json['executions'] : [json]
  const executions = parts.map((part, i) =>
    readExecution(part, parts.length > 1 ? `${name} (execution ${i + 1})` : name),
  )
  if (executions.length === 0) throw new HistoryFileError(name, 'it has no executions')
  const started = executions[0]?.events[0]?.workflowExecutionStartedEventAttributes
  return { id: started?.workflowId || name.replace(/\.json$/, ''), executions }
}

function readExecution(json: unknown, name: string): RecordedExecution {
  const history = isObject(json) && isObject(json['history']) ? json['history'] : json
  const events = Array.isArray(history) ? history : isObject(history) ? history['events'] : null
  if (!Array.isArray(events)) throw new HistoryFileError(name, 'it has no events')
  const read = decode(events, name)
  const started = read[0]?.workflowExecutionStartedEventAttributes
  if (!started) throw new HistoryFileError(name, 'its first event is not the start of a run')
  return { runId: started.originalExecutionRunId ?? '', events: read }
}

function decode(events: readonly unknown[], name: string): RecordedExecution['events'] {
  try {
    return historyFromJson({ events }).events ?? []
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new HistoryFileError(name, why, { cause })
  }
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HistoryFileError(name, 'it is not JSON', { cause })
  }
}
