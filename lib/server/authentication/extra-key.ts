/** The key of an extra from a percent-encoded header name. Returns an incorrectly encoded one unchanged. */
export function extraKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (error) {
    if (error instanceof URIError) return key;
    throw error;
  }
}
