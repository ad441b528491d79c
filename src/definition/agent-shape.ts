import { z } from 'zod'
import { anyFunction, anySchema } from './check-options.js'
import type { Tool } from './define-tool.js'
import { memoryShape } from './memory.js'

const modelName = z.string('must name a model').trim().min(1, 'must name a model')
const strategyShape = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(64, 'must have 64 characters at most')
    .refine((name) => name.toLowerCase() !== 'none', 'is what the model says when none fits'),
  when: z.string().trim().min(1, 'must say when the strategy fits'),
  instructions: z.string().trim().min(1, 'must not be empty'),
})
/** Checks the options of `defineAgent`. */
export const agentShape = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"'),
  instructions: z.union([z.string().trim().min(1, 'must not be empty'), anyFunction], {
    error: 'must be a text, or a function that makes one',
  }),
  strategies: z.array(strategyShape).optional(),
  model: z.union([modelName, z.array(modelName).min(1, 'must name a model')]),
  modelSettings: z
    .strictObject({
      temperature: z.number().min(0).optional(),
      topP: z.number().gt(0).max(1).optional(),
      maxTokens: z.int().min(1).optional(),
      seed: z.int().optional(),
      stop: z.array(z.string().min(1)).optional(),
    })
    .optional(),
  modelTimeout: z.union([z.string(), z.number()]).optional(),
  modelRetry: z
    .strictObject({
      maximumAttempts: z.int().min(1).optional(),
      totalTime: z.union([z.string(), z.number()]).optional(),
    })
    .optional(),
  context: anySchema.optional(),
  tools: z
    .array(
      z.custom<Tool>(
        (tool) =>
          typeof tool === 'object' && tool !== null && 'manifest' in tool && 'execute' in tool,
        'must be made by defineTool',
      ),
    )
    .optional(),
  memory: memoryShape.optional(),
  limits: z
    .strictObject({
      maxSteps: z.int().min(1).optional(),
      maxTokens: z.int().min(1).optional(),
      maxCostUsd: z.number().positive().optional(),
      deadline: z.union([z.string(), z.number()]).optional(),
    })
    .optional(),
  readMore: z.boolean().optional(),
  askUser: z.boolean().optional(),
  approvals: z
    .strictObject({
      default: z.enum(['destructive', 'writes', 'never']).optional(),
      deadline: z.union([z.string(), z.number()]).optional(),
    })
    .optional(),
  onLimit: z.enum(['answer', 'fail']).optional(),
  onToolFailure: z.enum(['observe', 'fail']).optional(),
  parallel: z.boolean().optional(),
  parseTextToolCalls: z.boolean().optional(),
})
