import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { RE2JS } from 're2js';
import { ajvOptions } from './ajvOptions';
import type { SchemaCompiler } from './validator';

/** A linear-time stand-in for RegExp, so that a pattern in a foreign schema cannot hang. */
function linearRegExp(pattern: string): { test(text: string): boolean } {
  const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern));
  return { test: (text) => compiled.matcher(text).find() };
}
linearRegExp.code = 'linearRegExp';

/**
 * Compiles user and foreign schemas with ajv. In strict mode unknown words are errors; foreign schemas are more relaxed
 * about them.
 */
export function createCompiler(): SchemaCompiler {
  const make = (): Ajv => {
    const ajv = new Ajv({
      ...ajvOptions,
      strict: false,
      code: { regExp: linearRegExp as never },
      addUsedSchema: false,
      validateFormats: true,
      logger: false,
    });
    addFormats(ajv);
    return ajv;
  };
  return {
    compile(schema) {
      // One instance for each schema: ids inside foreign schemas must not meet.
      const { $schema: _draft, $id: _id, ...rest } = schema;
      return make().compile(rest) as never;
    },
  };
}
