/** Maximum bytes that Lambda streams in one answer. It cuts off a longer one. */
export const MAX_STREAMED = 200_000_000;
