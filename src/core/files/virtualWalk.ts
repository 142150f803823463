import type { StopSign } from '../base/stopSign';
import { compileExclude, compileFilter, compileSettingGlobs, type SettingGlob } from './globs';
import { IgnoreRules } from './ignore';
import { comparePaths, joinPath } from './paths';
import type { ListEntry, ListQuery, SearchFile, SearchQuery, SearchSummary } from '../ports/fileSearch';
import { below, type IgnoreChain, isIgnored, versionControl } from './ignoreChain';
import { searchText } from './searchText';
import type { WorkspaceFolder, WorkspacePath } from '../ports/workspacePath';
import type { RawFiles } from './rawFiles';

/**
 * Lists and searches what only the editor reaches, by the rules of `FileSystem.list` and `FileSystem.search`. Made for
 * one call.
 */
export class VirtualWalk {
  readonly #raw: RawFiles;
  readonly #excludes: readonly SettingGlob[];

  /** @param excludes what the editor leaves out. */
  constructor(raw: RawFiles, excludes: readonly SettingGlob[]) {
    this.#raw = raw;
    this.#excludes = excludes;
  }

  async list(
    query: ListQuery,
    sink: (batch: readonly ListEntry[]) => Promise<boolean> | boolean,
    stopped: StopSign,
  ): Promise<void> {
    const { root } = query;
    const matches = compileFilter(query.include, []);
    const unwanted = compileExclude(query.exclude);
    const excluded = compileSettingGlobs(this.#excludes);
    const honour = !query.includeIgnored;
    const stack: { at: string; depth: number; chain: IgnoreChain | undefined }[] = [
      { at: root.path, depth: 1, chain: honour ? await this.#chainAt(root) : undefined },
    ];
    for (let next = stack.pop(); next; next = stack.pop()) {
      if (stopped.aborted) throw stopped.reason;
      const batch: ListEntry[] = [];
      const entries = await this.#raw.readDirectory({ folder: root.folder, path: next.at });
      const hasSibling = (other: string): boolean => entries.some(({ name }) => name === other);
      for (const { name, type } of entries) {
        const at = joinPath(next.at, name);
        const directory = type === 'directory';
        const ignored =
          honour &&
          (versionControl.has(name) || isIgnored(next.chain, at, directory) || (excluded?.(at, hasSibling) ?? false));
        if (ignored && !(query.markIgnored && next.depth === 1)) continue;
        if (unwanted(below(root.path, at))) continue;
        if ((!directory || query.directories) && matches(below(root.path, at)))
          batch.push(ignored ? { path: at, type, ignored } : { path: at, type });
        if (directory && !ignored && (query.depth === undefined || next.depth < query.depth)) {
          stack.push({
            at,
            depth: next.depth + 1,
            chain: honour ? await this.#extend(root.folder, at, next.chain) : undefined,
          });
        }
      }
      if (batch.length > 0 && !(await sink(batch))) return;
    }
  }

  async search(
    query: SearchQuery,
    sink: (batch: readonly SearchFile[]) => Promise<boolean> | boolean,
    signal: AbortSignal,
  ): Promise<SearchSummary> {
    // The engine for expressions is large, and needed here only.
    const { compileLineMatcher } = await import('./lineMatcher');
    const matcher = compileLineMatcher(query);
    const left: Record<string, number> = {};
    for (const path of await this.#allowed(query, signal)) {
      if (signal.aborted) throw signal.reason;
      const bytes = await this.#raw.readFile({ folder: query.root.folder, path }).catch(() => undefined);
      const found = bytes === undefined ? 'unreadable' : searchText(bytes, matcher, query);
      if (typeof found === 'string') left[found] = (left[found] ?? 0) + 1;
      else if (found && !(await sink([{ path, ...found }]))) break;
    }
    return { engine: 'built-in', leftOut: left };
  }

  async #allowed(query: SearchQuery, signal: AbortSignal): Promise<readonly string[]> {
    const files: string[] = [];
    if ((await this.#raw.stat(query.root)).type === 'file') files.push(query.root.path);
    else {
      await this.list(
        { ...query, directories: false },
        (batch) => {
          for (const entry of batch) if (entry.type === 'file') files.push(entry.path);
          return true;
        },
        signal,
      );
    }
    files.sort(comparePaths);
    const verdicts = await query.judge(files);
    return files.filter((_path, index) => verdicts[index]);
  }

  async #chainAt(root: WorkspacePath): Promise<IgnoreChain | undefined> {
    let chain = await this.#extend(root.folder, '', undefined);
    let at = '';
    for (const name of root.path === '' ? [] : root.path.split('/')) {
      at = joinPath(at, name);
      chain = await this.#extend(root.folder, at, chain);
    }
    return chain;
  }

  async #extend(folder: WorkspaceFolder, at: string, above: IgnoreChain | undefined): Promise<IgnoreChain | undefined> {
    const bytes = await this.#raw.readFile({ folder, path: joinPath(at, '.gitignore') }).catch(() => undefined);
    if (!bytes || bytes.length > 1_000_000) return above;
    const rules = new IgnoreRules(new TextDecoder().decode(bytes));
    return rules.isEmpty ? above : { base: at, rules, above };
  }
}
