import { type AdmissionConfiguration, UNCONFIGURED } from '#lib/server/admission/configuration.ts';
import type { PluginSelection } from '#lib/server/admission/plugin-names.ts';
import type { AuthenticationOptions } from '#lib/server/authentication/chain.ts';
import type { AuthorizerOptions } from '#lib/server/authorization/chain.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import type { WebhookDeclaration } from './declaration.ts';

/** The reviews that no API object configures, as in upstream. */
export const REVIEWS = [
  'TokenReview',
  'SubjectAccessReview',
  'ImagePolicy',
] as const satisfies WebhookDeclaration['type'][];
/** The type of such a review. */
export type Review = (typeof REVIEWS)[number];

/** The webhook of each type of review. */
export type Reviewers = Readonly<Partial<Record<Review, ClientConfig>>>;

interface Admission {
  readonly plugins: PluginSelection;
  readonly configuration: AdmissionConfiguration;
}

/** The server options that configure reviewers. */
interface Asking {
  readonly authentication?: Omit<AuthenticationOptions, 'tokens' | 'serviceAccounts'> | undefined;
  readonly authorizers?: readonly AuthorizerOptions[] | undefined;
  readonly admission?: Admission | undefined;
}

const SECOND = 1000;

/** Adds these reviewers of tokens, access and images to the options. Reviewers that are already configured take precedence. */
export function withReviews<Options extends Asking>(options: Options, reviewers: Reviewers) {
  const { TokenReview: token, SubjectAccessReview: access, ImagePolicy: images } = reviewers;
  return {
    ...options,
    ...(token === undefined ? {} : { authentication: { webhook: { config: token }, ...options.authentication } }),
    ...(access === undefined ? {} : { authorizers: [...(options.authorizers ?? DEFAULT), accessWebhook(access)] }),
    ...(images === undefined ? {} : { admission: imageAdmission(images, options) }),
  };
}

const DEFAULT: readonly AuthorizerOptions[] = [{ type: 'Node' }, { type: 'RBAC' }];

const accessWebhook = (config: ClientConfig): AuthorizerOptions => ({
  type: 'Webhook',
  name: 'subjectaccessreview',
  webhook: {
    config,
    timeoutSeconds: 3,
    authorizedTtl: 300 * SECOND,
    unauthorizedTtl: 30 * SECOND,
    failurePolicy: 'NoOpinion',
    matchConditions: [],
  },
});

function imageAdmission(
  backend: ClientConfig,
  { admission = { plugins: { enable: [], disable: [] }, configuration: UNCONFIGURED } }: Asking,
): Admission {
  const { plugins, configuration } = admission;
  const usual = { backend, allowTtl: 300 * SECOND, denyTtl: 30 * SECOND, retryBackoff: 500, defaultAllow: false };
  return {
    plugins: { ...plugins, enable: [...plugins.enable, 'ImagePolicyWebhook'] },
    configuration: { ...configuration, imagePolicy: configuration.imagePolicy ?? usual },
  };
}
