import { isObject } from '../base/json';
import { bodyText } from '../net/exchange';
import { parseHttpUrl } from '../net/url';
import type { HttpClient } from '../ports/http';
import { type Problem, problem } from '../base/problem';
import { SaidError, say, type Sentence } from '../base/sentence';
import { errorSaid } from '../vocabulary/errors';

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

const fault = (code: string, said: Sentence, subject: string): Problem =>
  problem({ severity: 'error', code, said, subject });

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
  return Object.entries(isObject(raw) ? raw : {}).flatMap(([name, value]): readonly ChannelSetting[] => {
    const url = isObject(value) ? value['url'] : value;
    if (typeof url === 'string') return [{ name, url, origin }];
    problems.push(fault('invalid_setting', say('channel_no_url', name), name));
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
      const { name, url, origin: by } = setting;
      if (names.has(name)) {
        problems.push(fault('duplicate_capability', say('channel_taken', name), name));
        continue;
      }
      names.add(name);
      if (!allow(setting)) continue;
      const known = this.#known.get(name);
      try {
        const isKnown = known?.url === url && known.by === by;
        const manifest = isKnown ? known : { file: manifestFile(name), url, by, text: await this.#fetch(url) };
        this.#known.set(name, manifest);
        out.push(manifest);
      } catch (error) {
        problems.push(fault('unreadable_definition', say('manifest_unfetched', name, errorSaid(error)), name));
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
    if (response.status !== 200) throw new SaidError(say('server_answered', response.status));
    if (response.cut) throw new SaidError(say('answer_not_whole'));
    return bodyText(response);
  }
}
