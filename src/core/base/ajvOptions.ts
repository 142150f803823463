/**
 * The options with which every schema is compiled, at build time for built-in tools and at run time for all others.
 * `ownProperties` keeps inherited names such as `toString` from counting as present; `$data` stays off
 * (CVE-2025-69873).
 */
export const ajvOptions = {
  strict: true,
  strictTypes: false,
  strictNumbers: true,
  strictRequired: false,
  allowUnionTypes: true,
  ownProperties: true,
  useDefaults: true,
  allErrors: false,
  verbose: true,
  unicodeRegExp: true,
} as const;
