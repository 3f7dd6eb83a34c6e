import type { ServiceClient } from '#lib/machinery/rpc.ts';
import type { DevicePluginDefinition } from './generated/deviceplugin-v1beta1.ts';
import type { DRAResourceHealthDefinition } from './generated/dra-health-v1alpha1.ts';
import type { DRAPluginDefinition } from './generated/dra-v1.ts';
import type { RegistrationDefinition } from './generated/pluginregistration-v1.ts';

/** A device plugin v1beta1: the kubelet is its client. */
export type DevicePluginClient = ServiceClient<DevicePluginDefinition>;
/** The service of a DRA driver. Those of v1 and v1beta1 have the same messages, but for shares in v1. */
export type DRAClient = ServiceClient<DRAPluginDefinition>;
/** The health of a DRA driver's devices. */
export type DRAHealthClient = ServiceClient<DRAResourceHealthDefinition>;
/** A plugin's answer about itself, on its socket in `plugins_registry`. */
export type RegistrationClient = ServiceClient<RegistrationDefinition>;
