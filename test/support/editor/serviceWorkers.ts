import type { BrowserContext, Page } from 'playwright-core';

/**
 * Runs in the page before anything else: the service worker by which code-server can be installed as an app is said to
 * be registered, which the window waits for, and is not. It does nothing but see each request of the window. Those of
 * webviews are registered in frames, and are left.
 */
const withoutApp = `if (window === window.top && navigator.serviceWorker)
  navigator.serviceWorker.register = () => Promise.resolve();`;

export async function leaveOutServiceWorker(page: Page): Promise<void> {
  await page.addInitScript(withoutApp);
}

/**
 * Ends the service workers of an origin. The process of a closed page, 250 MB, would live on with them for as long as
 * its browser profile does.
 */
export async function endServiceWorkers(context: BrowserContext, url: string): Promise<void> {
  const [page] = context.pages();
  if (!page || context.serviceWorkers().length === 0) return;
  const client = await context.newCDPSession(page);
  await client.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'service_workers' });
}
