/** The proxy settings of an environment or of the editor. */
interface ProxySettings {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts that are contacted directly: names, `.suffix`, `host:port`, or `*`. */
  readonly none: readonly string[];
}

/**
 * Reads HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; `override` is the editor's `http.proxy`, which stands for
 * both.
 */
export function readProxySettings(
  environment: Readonly<Record<string, string | undefined>>,
  override?: string,
): ProxySettings {
  const read = (name: string): string | undefined =>
    (environment[name.toLowerCase()] ?? environment[name.toUpperCase()])?.trim() || undefined;
  const all = read('all_proxy');
  return {
    http: override || read('http_proxy') || all,
    https: override || read('https_proxy') || all,
    none: (read('no_proxy') ?? '')
      .split(/[\s,]+/)
      .map((one) => one.toLowerCase())
      .filter((one) => one !== ''),
  };
}

/**
 * The proxy for a URL, or undefined where it is contacted directly. A proxy setting that is no http(s) URL is left out.
 */
export function proxyFor(url: URL, settings: ProxySettings): URL | undefined {
  const text = url.protocol === 'https:' ? settings.https : settings.http;
  if (text === undefined || settings.none.some((pattern) => isExcluded(url, pattern))) return undefined;
  const whole = text.includes('://') ? text : `http://${text}`;
  const proxy = URL.canParse(whole) ? new URL(whole) : undefined;
  return proxy?.protocol === 'http:' || proxy?.protocol === 'https:' ? proxy : undefined;
}

function isExcluded(url: URL, pattern: string): boolean {
  if (pattern === '*') return true;
  const match = /^(.*?)(?::(\d+))?$/.exec(pattern);
  const name = (match?.[1] ?? '').replace(/^\*?\./, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (match?.[2] !== undefined && match[2] !== port) return false;
  const host = url.hostname.toLowerCase();
  return host === name || host.endsWith(`.${name}`);
}
