/** Maximum bytes that Lambda streams in one response. Lambda cuts off a longer one. */
export const MAX_STREAMED = 200_000_000;
