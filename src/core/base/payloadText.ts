import type { Json } from './json';

/** Writes a payload as compact JSON; undefined for what JSON cannot carry. */
export type PayloadText = (payload: Json) => string | undefined;

/**
 * Makes a `PayloadText` that writes each payload once: the limits compare it, and the answer to an MCP client holds it
 * as text and as data. A payload never changes once its call has ended, which is when it is first written; the text
 * goes with it.
 */
export function rememberedText(): PayloadText {
  const texts = new WeakMap<object, string>();
  return (payload) => {
    if (typeof payload !== 'object' || payload === null) return JSON.stringify(payload);
    let text = texts.get(payload);
    if (text === undefined) {
      text = JSON.stringify(payload);
      texts.set(payload, text);
    }
    return text;
  };
}
