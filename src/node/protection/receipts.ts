import path from 'node:path';
import { isObject } from '../../core/base/json';
import type { Agent } from '../../core/protection/agents';
import type { Receipt } from '../../core/protection/plan';
import { replaceFileSync } from '../files/replaceFile';
import { jsonIn } from '../folders/quietly';
import { makeFolder } from '../folders/makeFolder';

/** What was installed, by the dialect of the agent; kept in the user's private folder. */
export class Receipts {
  readonly #file: string;

  constructor(privateFolder: string) {
    this.#file = path.join(privateFolder, 'installed.json');
  }

  of({ dialect }: Agent): Receipt | undefined {
    const receipt = this.#all()[dialect];
    return isReceipt(receipt) ? receipt : undefined;
  }

  /** Keeps a receipt, or forgets it where there is nothing to take back any more. */
  keep({ dialect }: Agent, receipt: Receipt | undefined): void {
    const all = { ...this.#all(), [dialect]: receipt };
    makeFolder(path.dirname(this.#file));
    replaceFileSync(this.#file, `${JSON.stringify({ version: 1, agents: all }, undefined, 2)}\n`);
  }

  #all(): Readonly<Record<string, unknown>> {
    const value = jsonIn(this.#file);
    return isObject(value) && isObject(value['agents']) ? value['agents'] : {};
  }
}

function isReceipt(value: unknown): value is Receipt {
  return (
    isObject(value) &&
    Array.isArray(value['files']) &&
    value['files'].every(
      (file: unknown) =>
        isObject(file) &&
        typeof file['path'] === 'string' &&
        Array.isArray(file['insertions']) &&
        Array.isArray(file['folders']),
    )
  );
}
