import { z } from 'zod'

/**
 * True when an optional field would read a null as a value (`z.coerce.number()` makes 0 of it). Strict mode
 * has the model send null for what it leaves out, so such a schema must not be strict.
 */
export function misreadsNull(schema: z.ZodType): boolean {
  let found = false
  // The conversion is used as a walk: it meets every schema inside once, recursive ones too.
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: { required = [] } }) => {
      const { def } = zodSchema._zod
      if (!isObjectDef(def)) return
      const optional = Object.entries(def.shape).filter(([name]) => !required.includes(name))
      found ||= optional.some(([, field]) => eatsNull(field))
    },
  })
  return found
}

function isObjectDef(def: z.core.$ZodTypeDef): def is z.core.$ZodObjectDef {
  return def.type === 'object'
}

function eatsNull(
  schema: z.core.$ZodType,
  seen: ReadonlySet<z.core.$ZodType> = new Set(),
): boolean {
  if (seen.has(schema)) return false
  const inside = (inner: z.core.$ZodType) => eatsNull(inner, new Set([...seen, schema]))
  const { def } = schema._zod as z.core.$ZodTypes['_zod']
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return def.coerce === true
    case 'optional':
    case 'nonoptional':
    case 'default':
    case 'prefault':
    case 'readonly':
      return inside(def.innerType)
    case 'catch':
      // Takes the null, and gives what it gives for nothing at all, unless nothing is let through.
      return def.innerType._zod.optin !== undefined || inside(def.innerType)
    case 'pipe':
      return isTransform(def.in) || inside(def.in)
    case 'union':
      return def.options.some(inside)
    case 'intersection':
      return inside(def.left) || inside(def.right)
    case 'lazy':
      return inside(def.getter())
    default:
      return false
  }
}

/** What `z.preprocess` starts with: it may make anything of a null. */
function isTransform(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'transform'
}
