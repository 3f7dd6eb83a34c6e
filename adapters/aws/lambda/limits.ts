/** Bytes that Lambda streams as one answer, at most: it breaks off a longer one. */
export const MAX_STREAMED = 200_000_000;
