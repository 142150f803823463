import { pause } from '../../../core/base/pause';
import { isToolError, toolError } from '../../../core/vocabulary/errors';
import { firstByteTimeout } from '../../../core/net/errors';
import { parseRedirect } from '../../../core/net/url';
import { decodeText } from '../page/charset';
import { allowAll, denyAll, isAllowedByRobots, parseRobots, type RobotsRules } from './robots';
import type { Fetching } from './fetching';
import type { ToolContext } from '../../../core/capability/tool';

const productToken = 'AgentCapabilities';

const robotsLifetimeMs = 60 * 60_000;
const maxHosts = 500;
const maxAtOnce = 2;
const pauseMs = 100;
const maxCrawlDelayMs = 2_000;

interface Host {
  robots?: { readonly rules: RobotsRules; readonly readMs: number };
  running: number;
  nextStartMs: number;
  readonly waiting: (() => void)[];
}

/** What is remembered about hosts: their robots.txt, and how many requests run there now. */
export class Hosts {
  readonly #hosts = new Map<string, Host>();

  #host(origin: string): Host {
    let host = this.#hosts.get(origin);
    if (!host) {
      const [idle] = [...this.#hosts].find(([, { running, waiting }]) => running === 0 && waiting.length === 0) ?? [];
      if (this.#hosts.size >= maxHosts && idle !== undefined) this.#hosts.delete(idle);
      host = { running: 0, nextStartMs: 0, waiting: [] };
      this.#hosts.set(origin, host);
    }
    return host;
  }

  /** Runs a request when it is its turn: at most two at once per host, with a pause between their starts. */
  async politely<T>(origin: string, context: ToolContext, work: () => Promise<T>): Promise<T> {
    const host = this.#host(origin);
    if (host.running >= maxAtOnce) await new Promise<void>((resolve) => host.waiting.push(resolve));
    else host.running++;
    try {
      const { clock } = context.ports;
      const gap = Math.min(maxCrawlDelayMs, Math.max(pauseMs, host.robots?.rules.crawlDelayMs ?? 0));
      const now = clock.monotonic();
      const wait = host.nextStartMs - now;
      host.nextStartMs = Math.max(now, host.nextStartMs) + gap;
      if (wait > 0) await pause(wait, context.signal, clock);
      return await work();
    } finally {
      const next = host.waiting.shift();
      // The place is handed on, so that nobody slips in between.
      if (next) next();
      else host.running--;
    }
  }

  /**
   * Refuses what a host's robots.txt does not allow agents. A missing file allows all, a server error denies all (RFC
   * 9309); a file that cannot be reached says nothing, and the page's own request will show what is wrong. Time spent
   * here counts against the URL's deadline; a first byte that is late here counts as the first attempt.
   */
  async checkRobots(url: URL, fetching: Fetching): Promise<void> {
    const host = this.#host(url.origin);
    const { clock } = fetching.context.ports;
    if (!host.robots || clock.monotonic() - host.robots.readMs > robotsLifetimeMs) {
      const rules = await readRobots(url, fetching);
      if (!rules) return;
      host.robots = { rules, readMs: clock.monotonic() };
    }
    if (isAllowedByRobots(host.robots.rules, `${url.pathname}${url.search}`)) return;
    throw toolError(
      'denied_by_policy',
      `robots.txt of \`${url.host}\` does not let agents fetch \`${url.pathname}\`; use another source, or ask the user, who can fetch it or switch off \`agentCapabilities.webFetch.respectRobots\``,
      { details: { host: url.host } },
    );
  }
}

/** Names the product honestly; sites decide by it. */
export const userAgent = `${productToken}/0.1 (agent tool of an editor; follows robots.txt)`;

/** Undefined where it cannot be told. */
async function readRobots(url: URL, { settings, context, remaining }: Fetching): Promise<RobotsRules | undefined> {
  const [limit = 1_000, ...more] = settings.firstByteTimeoutsMs;
  let next = new URL('/robots.txt', url);
  try {
    for (let hop = 0; hop < 5; hop++) {
      const [verdict] = await context.accessAll([{ effect: 'network.http', resource: next.href, method: 'GET' }]);
      if (!verdict?.allowed) return undefined;
      const response = await context.ports.http.send({
        url: next.href,
        method: 'GET',
        headers: { 'user-agent': userAgent },
        firstByteTimeoutMs: Math.min(limit, remaining()),
        bodyTimeoutMs: Math.min(2_000, settings.bodyTimeoutMs, remaining()),
        maxBytes: 512_000,
        signal: context.signal,
      });
      const { location } = response.headers;
      if (response.status >= 300 && response.status < 400 && location !== undefined) {
        next = parseRedirect(location, next);
        continue;
      }
      if (response.status >= 500) return denyAll;
      if (response.status !== 200) return allowAll;
      return parseRobots(decodeText(response.body, 'utf-8', 'no').text, productToken);
    }
    return allowAll;
  } catch (error) {
    if (isToolError(error) && error.data.code === 'cancelled') throw error;
    if (isToolError(error) && error.data.code === 'timeout' && more.length === 0) throw firstByteTimeout(limit);
    return undefined;
  }
}
