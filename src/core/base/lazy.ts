/** Loads once, with the first use. A load that failed is tried again with the next one. */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    if (loaded) return loaded;
    const loading = load();
    loading.catch(() => {
      if (loaded === loading) loaded = undefined;
    });
    return (loaded = loading);
  };
}
