export { historyFromJson, historyToJson } from '../../src/replay/history-json.js'
