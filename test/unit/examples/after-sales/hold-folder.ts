// A process of its own for database.test.ts: opens the shop of a folder, says so, and keeps it open.
import { createShop } from '../../../../examples/after-sales/shop.js'

const [dir = '', sql = 'SELECT 1'] = process.argv.slice(2)
const database = await createShop({ dir }).database()
await database.query(sql)
process.stdout.write('open\n')
setInterval(() => {}, 1_000)
