/** Tries a check until it holds, and fails with its last error: for what the editor does in its own time. */
export async function until<T>(check: () => Promise<T> | T, timeoutMs = 10_000, everyMs = 50): Promise<T> {
  for (const deadline = Date.now() + timeoutMs; ;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((done) => setTimeout(done, everyMs));
  }
}
