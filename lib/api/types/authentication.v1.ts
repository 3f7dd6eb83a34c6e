// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { ObjectMeta } from './meta.v1.ts';
import type { Int64, Time } from './scalars.ts';

/** The object that a token depends on: a Pod, Secret or Node. */
export type BoundObjectReference = {
  [typed]?: 'authentication.v1.BoundObjectReference';
  kind?: string;
  apiVersion?: string;
  name?: string;
  uid?: string;
};

/** Asks who the client is to the server. It is answered, not stored. */
export type SelfSubjectReview = {
  [typed]?: 'authentication.v1.SelfSubjectReview';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  status: SelfSubjectReviewStatus;
};

/** The user of the request, as the server knows them. */
export type SelfSubjectReviewStatus = {
  [typed]?: 'authentication.v1.SelfSubjectReviewStatus';
  userInfo: UserInfo;
};

/** Asks for a token of a service account; through its subresource token. It is answered, not stored. */
export type TokenRequest = {
  [typed]?: 'authentication.v1.TokenRequest';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: TokenRequestSpec;
  status: TokenRequestStatus;
};

/** The token that is asked for. */
export type TokenRequestSpec = {
  [typed]?: 'authentication.v1.TokenRequestSpec';
  audiences: string[] | null;
  expirationSeconds: Int64 | null;
  boundObjectRef: BoundObjectReference | null;
};

/** A token and when it expires. */
export type TokenRequestStatus = {
  [typed]?: 'authentication.v1.TokenRequestStatus';
  token: string;
  expirationTimestamp: Time | null;
};

/** Asks who has a token. It is answered, not stored. */
export type TokenReview = {
  [typed]?: 'authentication.v1.TokenReview';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: TokenReviewSpec;
  status: TokenReviewStatus;
};

/** A token to check, and for whom it must be. */
export type TokenReviewSpec = {
  [typed]?: 'authentication.v1.TokenReviewSpec';
  token?: string;
  audiences?: string[];
};

/** Whether a token is known, and whose it is. */
export type TokenReviewStatus = {
  [typed]?: 'authentication.v1.TokenReviewStatus';
  authenticated?: boolean;
  user: UserInfo;
  audiences?: string[];
  error?: string;
};

/** A user, as authentication found it. */
export type UserInfo = {
  [typed]?: 'authentication.v1.UserInfo';
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[] | null>;
};
