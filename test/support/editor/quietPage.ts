import type { Page } from 'playwright-core';

/** What Playwright has behind a page; it names none of it in its types. */
interface Behind {
  readonly _connection?: {
    toImpl?(page: Page): {
      readonly delegate?: {
        readonly _mainFrameSession?: { readonly _client?: { send(method: string): Promise<unknown> } };
      };
    };
  };
}

/**
 * Once the window talks to its server, Playwright hears no more of it: it is told each frame, both ways, twice encoded,
 * which is a twentieth of the processor time of a test. Whoever waits for requests or answers them would wait in vain.
 * A Playwright that is made otherwise goes on hearing.
 */
export function hearNoTraffic(page: Page): void {
  page.once('websocket', () => {
    const { _connection } = page as unknown as Behind;
    const client = _connection?.toImpl?.(page).delegate?._mainFrameSession?._client;
    // A page that closes at this moment has nothing to say.
    client?.send('Network.disable').catch(() => undefined);
  });
}
