/** ConversionReview versions that any server understands. */
export const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

/** Whether one of the review versions is one that this server sends. */
export const hasAcceptedReviewVersion = (versions: readonly string[]): boolean =>
  versions.some((version) => REVIEW_VERSIONS.includes(version));
