/**
 * Translates a text for people; `{0}`, `{1}` are filled in. The editor passes `l10n.t`, tests and the command line
 * `plainWords`.
 */
export type Translate = (message: string, ...values: (string | number)[]) => string;

/** Fills in the values and leaves the words as they are. */
export const plainWords: Translate = (message, ...values) =>
  values.length === 0
    ? message
    : message.replace(/\{(\d+)\}/g, (whole, index: string) => String(values[Number(index)] ?? whole));
