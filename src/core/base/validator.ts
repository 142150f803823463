import { setLast } from './maps';
import type { JsonSchema, SchemaValidator, SchemaViolation } from './schema';
import { schemaFault } from './schemaBounds';
import { say, saidBy, type Sentence } from './sentence';
import { type GeneratedValidator, violationsOf } from './violations';

/** Compiles schemas at run time; its chunk holds ajv and is loaded on the first schema that is not built in. */
export interface SchemaCompiler {
  compile(schema: JsonSchema): GeneratedValidator;
}

/** The most compiled foreign schemas that are kept. */
const mostCompiled = 2000;

const unusable = (why: Sentence): readonly SchemaViolation[] => [
  { path: '', expected: say('schema_unusable', why), got: say('schema_fault') },
];

/**
 * Answers from the generated validators (a chunk of their own, loaded with the first call) where the key is theirs,
 * else compiles the schema once and keeps it. A foreign schema that is out of bounds or does not compile refuses every
 * value: nothing passes unchecked.
 */
export function createValidator(
  loadGenerated: () => Promise<Readonly<Record<string, GeneratedValidator>>>,
  loadCompiler: () => Promise<SchemaCompiler>,
): SchemaValidator {
  let generated: Readonly<Record<string, GeneratedValidator>> | undefined;
  const compiled = new Map<JsonSchema, GeneratedValidator | Sentence>();
  const validatorFor = async (schema: JsonSchema): Promise<GeneratedValidator | Sentence> => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    let made: GeneratedValidator | Sentence;
    const fault = schemaFault(schema);
    if (fault) made = fault;
    else {
      const compiler = await loadCompiler();
      try {
        made = compiler.compile(schema);
      } catch (error) {
        made = saidBy(error);
      }
    }
    setLast(compiled, schema, made, mostCompiled);
    return made;
  };
  return {
    async validate(key, schema, value): Promise<readonly SchemaViolation[]> {
      generated ??= await loadGenerated();
      const own = Object.hasOwn(generated, key) ? generated[key] : undefined;
      const validate = own ?? (await validatorFor(schema));
      if (typeof validate !== 'function') return unusable(validate);
      const fits: unknown = validate(value);
      if (typeof fits === 'boolean') return fits ? [] : violationsOf(validate);
      // A promise, which is no yes; nobody else hears of it where it is broken.
      void Promise.resolve(fits).catch(() => undefined);
      return unusable(say('schema_async'));
    },
  };
}
