import { Command, InvalidArgumentError, Option } from 'commander';
import { admissionFlags, type AdmissionFlags } from './flags/admission.ts';
import { auditFlags, type AuditFlags } from './flags/audit.ts';
import { authenticationFlags, type AuthenticationFlags } from './flags/authentication.ts';
import { authorizationFlags, type AuthorizationFlags } from './flags/authorization.ts';
import { configFlags, type ConfigFlags } from './flags/config.ts';
import { controllerFlags, type ControllerFlags } from './flags/controller.ts';
import { encryptionFlags, type EncryptionFlags } from './flags/encryption.ts';
import { featureGateFlags, type FeatureGateFlags } from './flags/feature-gate.ts';
import { flowControlFlags, type FlowControlFlags } from './flags/flow-control.ts';
import { functionFlags, type FunctionFlags } from './flags/function.ts';
import { nodeRangeFlags, type NodeRangeFlags } from './flags/node-range.ts';
import { schedulerFlags, type SchedulerFlags } from './flags/scheduler.ts';
import { serviceAccountFlags, type ServiceAccountFlags } from './flags/service-account.ts';
import { tlsFlags, type TlsFlags } from './flags/tls.ts';
import type { SyncMode } from './start-options.ts';

/** All that the local server may be told. */
export interface Flags
  extends ConfigFlags,
    TlsFlags,
    AuthenticationFlags,
    ServiceAccountFlags,
    AuthorizationFlags,
    AdmissionFlags,
    EncryptionFlags,
    AuditFlags,
    FeatureGateFlags,
    FlowControlFlags,
    ControllerFlags,
    FunctionFlags,
    NodeRangeFlags,
    SchedulerFlags {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly inMemory?: boolean;
  readonly sync: SyncMode;
}

/** `davit`, with every flag; nothing is parsed yet. */
export function davitCommand(): Command {
  const command = new Command('davit')
    .description('A Kubernetes control plane in one process.')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <number>', 'the port to listen on; 0 takes any free one', portNumber, 6443)
    .option('--data-dir <path>', 'where everything is kept', '.davit')
    .option('--in-memory', 'keep nothing: all is gone at the end')
    .addOption(
      new Option('--sync <mode>', 'when a write is acknowledged').choices(['full', 'normal', 'off']).default('full'),
    );
  const all = [
    configFlags,
    tlsFlags,
    authenticationFlags,
    serviceAccountFlags,
    authorizationFlags,
    admissionFlags,
    encryptionFlags,
    auditFlags,
    featureGateFlags,
    flowControlFlags,
    controllerFlags,
    functionFlags,
    nodeRangeFlags,
    schedulerFlags,
  ];
  return all.reduce((built, flags) => flags(built), command);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  return port;
}
