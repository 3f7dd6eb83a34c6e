import { builtInReconcilers, ControllerTokens } from '#functions/reconcilers/wiring.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { QuotaLedger } from '#lib/policy/resource-quota/ledger.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import { byKeys, type Woken } from '#lib/stream/request-lane.ts';

const nowhere = (): never => {
  throw new TypeError('this function wakes reconcilers, it runs none');
};

/** The built-in reconcilers, to be asked what a change concerns them with; nothing that they act on is here. */
export function builtIn(controllers: readonly string[], clock: Clock): readonly Woken[] {
  const server = {
    handle: nowhere,
    storageOf: nowhere,
    loopbackToken: '',
    tokenIssuer: { issuer: '', audiences: [], sign: nowhere },
    quotaLedger: new QuotaLedger({ cluster: DEFAULT_CLUSTER, clock, exclusive: false, sequence: nowhere }),
  };
  const address = { host: '', port: 0 };
  return builtInReconcilers(server, new ControllerTokens(), { controllers, clock, authority: '', address }).map(byKeys);
}
