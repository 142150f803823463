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

function makeAjv(validateSchema: boolean): Ajv {
  const ajv = new Ajv({
    ...ajvOptions,
    strict: false,
    code: { regExp: linearRegExp as never },
    addUsedSchema: false,
    validateSchema,
    validateFormats: true,
    logger: false,
  });
  addFormats(ajv);
  return ajv;
}

/** Made with the first schema, and kept: to compile the draft's own schema costs as much as many tools' schemas. */
let checker: Ajv | undefined;

/**
 * Compiles user and foreign schemas with ajv. In strict mode unknown words are errors; foreign schemas are more relaxed
 * about them.
 */
export function createCompiler(): SchemaCompiler {
  return {
    compile(schema) {
      // One instance for each schema: ids inside foreign schemas must not meet. The draft's schema is no foreign one,
      // and the check by it keeps nothing of what it checks.
      const { $schema: _draft, $id: _id, ...rest } = schema;
      checker ??= makeAjv(true);
      checker.validateSchema(rest, true);
      return makeAjv(false).compile(rest) as never;
    },
  };
}
