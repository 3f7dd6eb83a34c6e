import { systemClock } from '#adapters/clock.ts';
import type { Logger } from '#lib/client/controller/logger.ts';
import { connectAggregatedApi } from '#lib/sdk/extension-apiserver/connect.ts';
import type { ApiConnector } from '#lib/sdk/extension-apiserver/connect-endpoint.ts';
import type { AggregatedApiDeclaration } from '#lib/sdk/extension-apiserver/declaration.ts';
import type { DefinedAggregatedApi } from '#lib/sdk/extension-apiserver/define-aggregated-api.ts';
import { type ApiInvoker, functionApi } from '#lib/sdk/extension-apiserver/function-api.ts';
import { serveAggregatedApi } from '#lib/sdk/extension-apiserver/serve.ts';
import type { FunctionApi, FunctionApis } from '#lib/server/aggregation/function-apis.ts';

/** Aggregated APIs that run on this machine, and the means to call them. */
export interface ApiSource {
  declarations(): readonly AggregatedApiDeclaration[];
  readonly invoke: ApiInvoker;
  readonly connect: ApiConnector;
  /** Calls back whenever the set of declarations changes. */
  onDeclared?(changed: () => void): void;
}

/** APIs that run in this thread. */
export function apisInProcess(apis: readonly DefinedAggregatedApi[], log: Logger): ApiSource {
  const declarations = apis.map(({ declaration }) => declaration);
  const named = (name: string): DefinedAggregatedApi => {
    const api = apis.find(({ declaration }) => declaration.name === name);
    if (api === undefined) throw new TypeError(`there is no aggregated API ${name}`);
    return api;
  };
  return {
    declarations: () => declarations,
    invoke: async (name, request, of) => serveAggregatedApi(named(name), { request, ...of, clock: systemClock, log }),
    connect: async (name, link, { query }, of) => connectAggregatedApi(named(name), { ...of, query, log }, link),
  };
}

/** The APIs of both sources. If both declare an API with the same name, the first source is called. */
export function bothApis(first: ApiSource, second: ApiSource): ApiSource {
  const isFirst = (name: string): boolean => first.declarations().some((one) => one.name === name);
  return {
    declarations: () => [...first.declarations(), ...second.declarations().filter(({ name }) => !isFirst(name))],
    invoke: (name, ...rest) => (isFirst(name) ? first : second).invoke(name, ...rest),
    connect: (name, ...rest) => (isFirst(name) ? first : second).connect(name, ...rest),
    onDeclared(changed) {
      first.onDeclared?.(changed);
      second.onDeclared?.(changed);
    },
  };
}

/** The APIs of a source, in the form that the aggregation layer expects. */
export function functionApisOf({ declarations, invoke, connect }: ApiSource): FunctionApis {
  const known = new WeakMap<AggregatedApiDeclaration, FunctionApi>();
  const all = () =>
    declarations().map((declaration) => {
      const api = known.get(declaration) ?? functionApi(declaration, invoke, connect);
      known.set(declaration, api);
      return api;
    });
  return {
    find: async ({ group, version }) =>
      all().find((api) => api.version.group === group && api.version.version === version),
    all: async () => all(),
  };
}
