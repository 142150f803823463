import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from './files/replaceFile';
import { makeFolder } from './folders/makeFolder';

/**
 * A small file outside the extension's folder that starts the command line. Other clients keep its path in their
 * configuration, and the extension's folder has another name after each update.
 */
export class CliLauncher {
  readonly #file: string;
  readonly #text: string;

  /** @param folder where the extension keeps its own files; @param cli the command line of the installed version. */
  constructor(folder: string, cli: string) {
    this.#file = path.join(folder, 'agent-capabilities.cjs');
    this.#text = `require(${JSON.stringify(cli)});\n`;
  }

  /** Writes the file and answers its path. */
  async write(): Promise<string> {
    makeFolder(path.dirname(this.#file));
    await replaceFile(this.#file, this.#text);
    return this.#file;
  }

  /** Leads a file that was written before to the installed version; without one nothing happens. */
  async refresh(): Promise<void> {
    const before = await readFile(this.#file, 'utf8').catch(() => undefined);
    if (before !== undefined && before !== this.#text) await this.write();
  }
}
