/** The key of an extra as a header's name says it, percent-encoded; one that is not well escaped is kept as it is. */
export function extraKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (error) {
    if (error instanceof URIError) return key;
    throw error;
  }
}
