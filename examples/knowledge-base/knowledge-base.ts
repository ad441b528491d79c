import { type DatabaseSettings, settingsFromEnv } from '../database/database.js'
import { type LazyDatabase, lazyDatabase } from '../database/lazy-database.js'
import { readCorpus } from './corpus/corpus.js'
import { type BuildOptions, buildIndex } from './index/build-index.js'

/** The database of the index, with passages in it. */
export type KnowledgeBase = LazyDatabase

/** Options of {@link createKnowledgeBase}. */
export interface KnowledgeBaseOptions extends Partial<BuildOptions> {
  /** @default the environment's, read when it is opened */
  readonly settings?: DatabaseSettings
}

/**
 * A knowledge base, indexed when it is first opened. An index of other documents is kept by default:
 * workers that share a server need not have the same documents on their disks.
 */
export function createKnowledgeBase(options: KnowledgeBaseOptions = {}): KnowledgeBase {
  const {
    settings,
    corpus = readCorpus,
    whenChanged = 'keep',
    log = (text) => process.stderr.write(`index: ${text}\n`),
  } = options
  return lazyDatabase({
    settings: () => settings ?? settingsFromEnv('knowledge-base'),
    schema: 'knowledge_base',
    lock: 1_002,
    prepare: (sql) => buildIndex(sql, { corpus, whenChanged, log }),
  })
}

/** Makes the index if there is none, or if the documents have changed; then lets go of the database. */
export async function updateIndex(log: (text: string) => void): Promise<void> {
  const knowledgeBase = createKnowledgeBase({ whenChanged: 'rebuild', log })
  await knowledgeBase.database()
  await knowledgeBase.close()
}
