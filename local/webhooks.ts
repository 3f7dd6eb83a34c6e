import { UNCONFIGURED } from '#lib/admission/configuration.ts';
import type { AuthorizerOptions } from '#lib/authorization/chain.ts';
import type { Logger } from '#lib/controller/define-reconciler.ts';
import type { ClientConfig } from '#lib/webhook/client-config.ts';
import type { FunctionInvoker } from '#lib/webhook/functions.ts';
import type { WebhookDeclaration } from '#lib/webhook-sdk/declaration.ts';
import { serviceOf } from '#lib/webhook-sdk/objects.ts';
import { answerWebhook, type DefinedWebhook } from '#lib/webhook-sdk/webhook.ts';
import type { StartOptions } from './start-apiserver.ts';

/** Webhooks that run on this machine, and how they are called. */
export interface WebhookSource {
  declarations(): readonly WebhookDeclaration[];
  readonly invoker: FunctionInvoker;
  /** Calls back whenever something else is declared. */
  onDeclared?(changed: () => void): void;
}

/** Webhooks that run in this thread. */
export function inProcess(webhooks: readonly DefinedWebhook[], log: Logger): WebhookSource {
  const declarations = webhooks.map(({ declaration }) => declaration);
  return {
    declarations: () => declarations,
    invoker: {
      async invoke(name, body, { timeout }) {
        const webhook = webhooks.find(({ declaration }) => declaration.name === name);
        if (webhook === undefined) throw new TypeError(`there is no function ${name}`);
        const signal = AbortSignal.timeout(timeout);
        const late = Promise.withResolvers<never>();
        signal.addEventListener('abort', () => late.reject(signal.reason), { once: true });
        return Promise.race([answerWebhook(webhook, body, { log, signal }), late.promise]);
      },
    },
  };
}

/** Those of both; of two with one name the first is called. */
export function both(first: WebhookSource, second: WebhookSource): WebhookSource {
  const isFirst = (name: string): boolean => first.declarations().some((one) => one.name === name);
  return {
    declarations: () => [...first.declarations(), ...second.declarations().filter(({ name }) => !isFirst(name))],
    invoker: {
      invoke: (name, ...rest) => (isFirst(name) ? first : second).invoker.invoke(name, ...rest),
    },
    onDeclared(changed) {
      first.onDeclared?.(changed);
      second.onDeclared?.(changed);
    },
  };
}

const SECOND = 1000;

/** The options with reviews that no object configures: who is asked about tokens, access and images, behind those that are configured. */
export function withReviews(options: StartOptions, declarations: readonly WebhookDeclaration[]): StartOptions {
  const named = (type: WebhookDeclaration['type']): ClientConfig | undefined => {
    const found = declarations.find((one) => one.type === type);
    return found === undefined ? undefined : { service: serviceOf(found), caBundle: '' };
  };
  const [token, access, images] = [named('TokenReview'), named('SubjectAccessReview'), named('ImagePolicy')];
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
  { admission = { plugins: { enable: [], disable: [] }, configuration: UNCONFIGURED } }: StartOptions,
): NonNullable<StartOptions['admission']> {
  const { plugins, configuration } = admission;
  const usual = { backend, allowTtl: 300 * SECOND, denyTtl: 30 * SECOND, retryBackoff: 500, defaultAllow: false };
  return {
    plugins: { ...plugins, enable: [...plugins.enable, 'ImagePolicyWebhook'] },
    configuration: { ...configuration, imagePolicy: configuration.imagePolicy ?? usual },
  };
}
