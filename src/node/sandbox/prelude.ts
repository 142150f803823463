/**
 * Runs first inside the interpreter: takes the two host functions out of reach of the program's own globals and builds
 * what the program sees. It captures the built-in functions that it needs, so that a program that replaces them only
 * fools itself. What JSON has no form for is told in one that holds as much: integers of any size and errors as text,
 * maps and sets as lists.
 */
export const prelude = `(function (call, print, names, contextText, asGlobals) {
  'use strict';
  const { stringify, parse } = JSON;
  const P = Promise, S = String, E = Error, define = Object.defineProperty;
  const then = Function.prototype.call.bind(Promise.prototype.then);
  const join = Function.prototype.call.bind(Array.prototype.join);
  const map = Function.prototype.call.bind(Array.prototype.map);
  const M = Map, T = Set, from = Array.from;
  const replaceAll = Function.prototype.call.bind(String.prototype.replaceAll);
  const told = (error) => S(error.stack ? error.name + ': ' + error.message : error);
  const plain = (key, item) => {
    if (typeof item === 'bigint') return S(item);
    if (item instanceof M || item instanceof T) return from(item);
    return item instanceof E ? told(item) : item;
  };
  const show = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof E) return told(value);
    try { const text = stringify(value, plain); return text === undefined || typeof value === 'bigint' ? S(value) : text; } catch { return S(value); }
  };
  const log = (...args) => { print(replaceAll(join(map(args, show), ' '), '\\0', '\\u2400')); };
  const hidden = (target, key, value) => define(target, key, { value, enumerable: false, writable: true, configurable: true });
  hidden(globalThis, 'console', { log, info: log, warn: log, error: log, debug: log });
  const host = (name) => (...args) => then(call(name, stringify(args)), (text) => (text === undefined ? undefined : parse(text)));
  const context = parse(contextText);
  for (const name of names) {
    const parts = name.split('.');
    const last = parts.pop();
    let place = context;
    for (const part of parts) place = place[part] = place[part] || {};
    if (name !== 'fetch') { place[last] = host(name); continue; }
    const send = host(name);
    const fetch = (url, options) => then(send(S(url), options || {}), (answer) => ({
      url: answer.url, status: answer.status, ok: answer.status >= 200 && answer.status < 300,
      headers: { get: (key) => answer.headers[S(key).toLowerCase()] ?? null, entries: () => Object.entries(answer.headers) },
      text: () => P.resolve(answer.body), json: () => P.resolve(parse(answer.body)),
    }));
    place[last] = fetch;
    hidden(globalThis, 'fetch', fetch);
  }
  if (asGlobals) for (const key of Object.keys(context)) hidden(globalThis, key, context[key]);
  const bad = (value) => { if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError('the result is a ' + typeof value + ', which JSON cannot carry'); return value; };
  return {
    context,
    unbox: (promise) => then(promise, (box) => box.value),
    encode: (value) => { bad(value); return stringify(value, plain); },
    pick: (space, name, fallback) => {
      const own = space == null ? undefined : space[name];
      if (typeof own === 'function') return own;
      if (name === 'default') {
        if (typeof fallback === 'function') return fallback;
        for (const other of ['handler', 'default', 'run', 'main']) if (space != null && typeof space[other] === 'function') return space[other];
      }
      return undefined;
    },
  };
})`;
