import { beforeAll, describe, expect, test } from 'vitest'
import { createTokenizer } from '../../../src/activities/tokenizer.js'
import { type CountTokens, estimateTokens, messageTokens } from '../../../src/contract/tokens.js'

/** The same few sentences. */
const PROSE: Readonly<Record<string, string>> = {
  English:
    'The parcel left our warehouse on Monday and should have arrived two days ago. I am sorry that it is late; would you like me to send a replacement, or would you rather have your money back?',
  German:
    'Das Paket hat unser Lager am Montag verlassen und hätte vor zwei Tagen ankommen sollen. Es tut mir leid, dass es sich verspätet; möchten Sie einen Ersatz oder lieber Ihr Geld zurück?',
  French:
    "Le colis a quitté notre entrepôt lundi et aurait dû arriver il y a deux jours. Je suis désolé de ce retard ; souhaitez-vous un remplacement, ou préférez-vous être remboursé de l'achat ?",
  Spanish:
    'El paquete salió de nuestro almacén el lunes y debería haber llegado hace dos días. Lamento el retraso; ¿quiere que le envíe otro, o prefiere que le devolvamos el dinero de la compra?',
  Polish:
    'Paczka opuściła nasz magazyn w poniedziałek i powinna była dotrzeć dwa dni temu. Przepraszam za opóźnienie; czy wysłać nową, czy woli Pani zwrot pieniędzy za zakupy?',
  Czech:
    'Balík opustil náš sklad v pondělí a měl dorazit před dvěma dny. Omlouvám se za zpoždění; mám poslat nový, nebo chcete raději vrátit peníze za nákup?',
  Turkish:
    'Paket pazartesi günü depomuzdan çıktı ve iki gün önce ulaşmış olması gerekiyordu. Gecikme için özür dilerim; yenisini göndermemi mi istersiniz, yoksa paranızın iadesini mi?',
  Vietnamese:
    'Gói hàng đã rời kho của chúng tôi vào thứ Hai và lẽ ra phải đến cách đây hai ngày. Tôi xin lỗi vì sự chậm trễ; bạn muốn tôi gửi hàng thay thế hay hoàn tiền?',
  Hungarian:
    'A csomag hétfőn hagyta el a raktárunkat, és két nappal ezelőtt kellett volna megérkeznie. Elnézést a késésért; küldjek másikat, vagy inkább visszakéri a pénzét?',
  Finnish:
    'Paketti lähti varastostamme maanantaina ja sen olisi pitänyt saapua kaksi päivää sitten. Pahoittelen viivästystä; haluatteko uuden paketin vai mieluummin rahat takaisin?',
  Italian:
    'Il pacco ha lasciato il nostro magazzino lunedì e sarebbe dovuto arrivare due giorni fa. Mi dispiace per il ritardo; desidera che ne spedisca un altro o preferisce il rimborso?',
  Portuguese:
    'O pacote saiu do nosso armazém na segunda-feira e deveria ter chegado há dois dias. Peço desculpa pelo atraso; deseja que envie outro ou prefere a devolução do dinheiro?',
  Russian:
    'Посылка покинула наш склад в понедельник и должна была прийти два дня назад. Извините за задержку; отправить вам новую или вы предпочитаете вернуть деньги за покупку?',
  Greek:
    'Το δέμα έφυγε από την αποθήκη μας τη Δευτέρα και θα έπρεπε να είχε φτάσει πριν από δύο ημέρες. Λυπάμαι για την καθυστέρηση.',
  Arabic:
    'غادر الطرد مستودعنا يوم الاثنين وكان يجب أن يصل قبل يومين. أعتذر عن التأخير، هل ترغب في إرسال بديل أم تفضل استرداد المبلغ الذي دفعته؟',
  Hindi:
    'पार्सल सोमवार को हमारे गोदाम से निकला था और दो दिन पहले पहुँच जाना चाहिए था। देरी के लिए क्षमा करें; क्या आप दूसरा पार्सल चाहते हैं या अपने पैसे वापस लेना पसंद करेंगे?',
  Thai: 'พัสดุออกจากคลังสินค้าของเราเมื่อวันจันทร์และควรจะมาถึงเมื่อสองวันก่อน ขออภัยในความล่าช้า คุณต้องการให้ส่งใหม่หรือคืนเงิน',
  Chinese:
    '包裹星期一离开了我们的仓库，本应在两天前送达。很抱歉延误了；您希望我们重新寄一件，还是更愿意退款？如果需要，我可以马上为您查询物流信息。',
  Japanese:
    '荷物は月曜日に当社の倉庫を出ており、二日前に届いているはずでした。遅れて申し訳ございません。代わりの商品をお送りしましょうか、それとも返金をご希望でしょうか。',
  Korean:
    '소포는 월요일에 저희 창고를 떠났고 이틀 전에 도착했어야 합니다. 늦어져서 죄송합니다. 새 상품을 다시 보내 드릴까요, 아니면 환불을 원하시나요? 바로 확인해 드리겠습니다.',
}

const OTHERS: Readonly<Record<string, string>> = {
  JSON: JSON.stringify({
    orderId: 'A1001',
    status: 'shipped',
    items: [
      { sku: 'MUG-12', quantity: 2, price: 12.5 },
      { sku: 'TEA-3', quantity: 1, price: 7 },
    ],
    shippedAt: '2026-03-14T09:26:53Z',
    customer: { id: 'C42', city: 'Lyon', note: null, isNew: false },
  }),
  emoji: '😀 👍 🎉 Thank you so much 🙏 it arrived 📦 today 😍 and it is perfect 💯',
  code: 'export function add(a: number, b: number): number {\n  if (a < 0) return b\n  return a + b\n}\n',
  Markdown:
    '# Returns\n\n- **30 days** for anything unused\n- [Form](https://shop.example/returns)\n\n| day | fee |\n| --- | ---: |\n| 1 | 0 |\n',
  'a table of numbers': '2026-01-01,17,3.5\n2026-01-02,18,4.25\n2026-01-03,21,3.75\n',
}

let count: CountTokens

beforeAll(async () => {
  count = await createTokenizer('o200k')()
})

const ratio = (text: string) => estimateTokens(text) / count(text)

describe('the estimate', () => {
  test.each(Object.entries(PROSE))('of %s prose is 0.8 to 1.5 times the real number', (_, text) => {
    expect(ratio(text)).toBeGreaterThanOrEqual(0.8)
    expect(ratio(text)).toBeLessThanOrEqual(1.5)
  })

  test.each(Object.entries(OTHERS))('of %s is 0.6 to 2 times the real number', (_, text) => {
    expect(ratio(text)).toBeGreaterThanOrEqual(0.6)
    expect(ratio(text)).toBeLessThanOrEqual(2)
  })

  test('of nothing is nothing, of anything something', () => {
    expect(estimateTokens('')).toBe(0)
    for (const text of [' ', 'a', 'A', '1', '-', 'é', 'я', '中', '😀', '\ud83d']) {
      expect(estimateTokens(text)).toBeGreaterThan(0)
    }
  })

  test('grows with the text', () => {
    const text = Object.values({ ...PROSE, ...OTHERS }).join('\n')
    for (let at = 100; at < text.length; at += 100) {
      expect(estimateTokens(text.slice(0, at))).toBeGreaterThan(
        estimateTokens(text.slice(0, at - 100)),
      )
    }
  })
})

describe('the tokens of a message', () => {
  const length: CountTokens = (text) => text.length

  test('are those of its text, and a few for what is around it', () => {
    expect(messageTokens({ role: 'user', text: 'hello' }, length)).toBe(9)
    expect(messageTokens({ role: 'tool', id: '001000101', text: 'hello' }, length)).toBe(9)
  })

  test('of the model have those of each call in them', () => {
    const calls = [
      { name: 'search', args: { q: 'x' } },
      { name: 'read', args: {} },
    ]
    const message = { role: 'assistant', text: 'hi', calls, turn: 1, step: 1 } as const
    const args = '{"q":"x"}'.length
    expect(messageTokens(message, length)).toBe(4 + 2 + (8 + 6 + args) + (8 + 4 + 2))
  })
})
