import { type Command, Option } from 'commander';
import { dnsLabel } from '../commands/dns-label.ts';

/** The flags of this file. */
export interface KubeconfigFlags {
  readonly mergeKubeconfig?: string;
}

/** Adds the flag to the command. */
export const kubeconfigFlags = (command: Command): Command =>
  command.addOption(
    new Option(
      '--merge-kubeconfig [name]',
      "make the server the current context of kubectl's own file ($KUBECONFIG, ~/.kube/config), under this name",
    )
      .argParser(dnsLabel)
      .preset('davit-local'),
  );
