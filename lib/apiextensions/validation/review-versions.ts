/** ConversionReview versions that some server understands. */
export const REVIEW_VERSIONS: readonly string[] = ['v1', 'v1beta1'];

export const hasAcceptedReviewVersion = (versions: readonly string[]): boolean =>
  versions.some((version) => REVIEW_VERSIONS.includes(version));
