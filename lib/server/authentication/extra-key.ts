/** The key of an extra from a percent-encoded header name. If the encoding is invalid, returns it unchanged. */
export function extraKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (error) {
    if (error instanceof URIError) return key;
    throw error;
  }
}
