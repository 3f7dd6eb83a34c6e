import { NAMESPACE } from '#lib/sdk/webhook-sdk/names.ts';
import type { Review, Reviewers } from '#lib/sdk/webhook-sdk/reviews.ts';

/** Functions that serve reviews. They replace Services with the same names, which need not be stored. */
export function reviewersIn(reviews: Readonly<Partial<Record<Review, string>>>): {
  readonly reviewers: Reviewers;
  readonly known: ReadonlyMap<string, string>;
} {
  const service = (name: string) => ({ namespace: NAMESPACE, name, port: 443, path: '' });
  const all = Object.entries(reviews);
  return {
    reviewers: Object.fromEntries(all.map(([review, name]) => [review, { service: service(name), caBundle: '' }])),
    known: new Map(all.map(([, name]) => [`${NAMESPACE}/${name}`, name])),
  };
}
