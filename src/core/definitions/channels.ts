import { bodyText } from '../net/exchange';
import { parseHttpUrl } from '../net/url';
import type { HttpClient } from '../ports/http';
import { messageOf } from '../base/errorText';
import { type Problem, problem } from '../base/problem';
import { say } from '../base/sentence';

/** A channel that settings name by the URL of its manifest. */
export interface ChannelSetting {
  readonly name: string;
  readonly url: string;
  /** `user`: the user's own settings, whose address needs no approval. */
  readonly origin: 'user' | 'workspace';
}

interface FetchedManifest {
  readonly file: string;
  readonly text: string;
  readonly url: string;
  /** Who named the address. */
  readonly by: ChannelSetting['origin'];
}

export const manifestFile = (name: string): string => `${name}.channel.json`;

/**
 * Reads channels of the settings: `{ "media": "http://…" }` or `{ "media": { "url": "http://…" } }`. What cannot be
 * read is a problem.
 */
export function readChannelSettings(
  raw: unknown,
  origin: ChannelSetting['origin'],
  problems: Problem[],
): readonly ChannelSetting[] {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return [];
  return Object.entries(raw).flatMap(([name, value]: [string, unknown]): readonly ChannelSetting[] => {
    const url: unknown = typeof value === 'object' && value !== null && 'url' in value ? value.url : value;
    if (typeof url === 'string') return [{ name, url, origin }];
    problems.push(
      problem({ severity: 'error', code: 'invalid_setting', said: say('channel_no_url', name), subject: name }),
    );
    return [];
  });
}

/** Fetches the manifests that settings name. One that cannot be reached keeps its last manifest and is a problem. */
export class ChannelFetcher {
  readonly #http: HttpClient;
  readonly #settings: (problems: Problem[]) => readonly ChannelSetting[];
  readonly #known = new Map<string, FetchedManifest>();

  constructor(parts: {
    readonly http: HttpClient;
    readonly settings: (problems: Problem[]) => readonly ChannelSetting[];
  }) {
    this.#http = parts.http;
    this.#settings = parts.settings;
  }

  /** Forgets what was fetched, so that the next reading asks every server again. */
  refresh(): void {
    this.#known.clear();
  }

  async read(problems: Problem[], allow: (setting: ChannelSetting) => boolean): Promise<readonly FetchedManifest[]> {
    const settings = this.#settings(problems);
    const out: FetchedManifest[] = [];
    const names = new Set<string>();
    // A name of the user's own is theirs, whatever the workspace calls so.
    for (const setting of [...settings].sort(
      (a, b) => Number(a.origin === 'workspace') - Number(b.origin === 'workspace'),
    )) {
      const file = manifestFile(setting.name);
      if (names.has(setting.name)) {
        problems.push(
          problem({
            severity: 'error',
            code: 'duplicate_capability',
            said: say('channel_taken', setting.name),
            subject: setting.name,
          }),
        );
        continue;
      }
      names.add(setting.name);
      if (!allow(setting)) continue;
      const known = this.#known.get(setting.name);
      if (known?.url === setting.url && known.by === setting.origin) {
        out.push(known);
        continue;
      }
      try {
        const manifest = { file, url: setting.url, by: setting.origin, text: await this.#fetch(setting.url) };
        this.#known.set(setting.name, manifest);
        out.push(manifest);
      } catch (error) {
        problems.push(
          problem({
            severity: 'error',
            code: 'unreadable_definition',
            said: say('manifest_unfetched', setting.name, messageOf(error)),
            subject: setting.name,
          }),
        );
      }
    }
    return out;
  }

  async #fetch(address: string): Promise<string> {
    const url = parseHttpUrl(address);
    const response = await this.#http.send({
      url: url.href,
      method: 'GET',
      headers: { accept: 'application/json' },
      firstByteTimeoutMs: 10_000,
      bodyTimeoutMs: 10_000,
      maxBytes: 1_000_000,
    });
    if (response.status !== 200) throw new Error(`the server answered ${response.status}`);
    if (response.cut) throw new Error('the answer was not whole');
    return bodyText(response);
  }
}
