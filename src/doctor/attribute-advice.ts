import type { AttributeState } from '../client/search-attributes/attribute-state.js'
import { isTemporalCloud } from '../client/temporal-cloud.js'

type Attribute = Pick<AttributeState, 'name' | 'type'>

/** Where attributes are, for advice. */
export interface AttributePlace {
  readonly address: string
  readonly namespace: string
}

/** How somebody who may registers attributes by hand. */
export function howToRegister(
  attributes: readonly Attribute[],
  { address, namespace }: AttributePlace,
): string {
  if (isTemporalCloud(address)) {
    const pairs = attributes.map(({ name, type }) => `--search-attribute "${name}=${type}"`)
    return `add them in the UI of Temporal Cloud (Namespaces, Edit), or: tcld namespace search-attributes add --namespace ${namespace} ${pairs.join(' ')}`
  }
  const pairs = attributes.map(({ name, type }) => `--name ${name} --type ${type}`)
  return `have an administrator run: temporal operator search-attribute create --namespace ${namespace} ${pairs.join(' ')}`
}

/** How the name of an attribute becomes free for another type. */
export function howToFree({ name }: Attribute, { address, namespace }: AttributePlace): string {
  return isTemporalCloud(address)
    ? `rename it in Temporal Cloud (tcld namespace search-attributes rename), then run perdure setup again`
    : `remove it if nobody needs it, then run perdure setup again: temporal operator search-attribute remove --namespace ${namespace} --name ${name}`
}
