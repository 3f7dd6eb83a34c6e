import { systemClock } from '#adapters/clock.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { within } from '#lib/machinery/wait/within.ts';
import type { WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import { serviceOf } from '#lib/sdk/webhook-sdk/objects.ts';
import { REVIEWS, type Reviewers } from '#lib/sdk/webhook-sdk/reviews.ts';
import { answerWebhook, type DefinedWebhook } from '#lib/sdk/webhook-sdk/webhook.ts';
import type { FunctionInvoker } from '#lib/server/webhook/functions.ts';

/** Webhooks that run on this machine, and the means to call them. */
export interface WebhookSource {
  declarations(): readonly WebhookDeclaration[];
  readonly invoker: FunctionInvoker;
  /** Calls back whenever the set of declarations changes. */
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
        return within(timeout, (signal) => answerWebhook(webhook, body, { log, signal }), { clock: systemClock });
      },
    },
  };
}

/** The webhooks of both sources. If both declare a webhook with the same name, the first source is called. */
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

/** The webhooks for reviews that no configuration object selects: the first of each type. */
export function reviewersOf(declarations: readonly WebhookDeclaration[]): Reviewers {
  const named = REVIEWS.flatMap((review) => declarations.find(({ type }) => type === review) ?? []);
  return Object.fromEntries(named.map((one) => [one.type, { service: serviceOf(one), caBundle: '' }]));
}
