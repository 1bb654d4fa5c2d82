/**
 * The fields of KubeSchedulerConfiguration and of scenarios, in the form of the API server's schema
 * (`js/apiserver/schema/types.js`). `!` marks required fields. Sources:
 * k8s.io/kube-scheduler/config/v1 of v1.36, as core/config/config_schema.h has it; and
 * web/README.md.
 */
export const CONFIGURATION_VERSION = 'kubescheduler.config.k8s.io/v1';

export const OWN_TYPES = `
kind v1 List = stowage/v1.List
kind stowage/v1 Scenario = stowage/v1.Scenario
kind ${CONFIGURATION_VERSION} KubeSchedulerConfiguration = config/v1.KubeSchedulerConfiguration
type stowage/v1.List
 apiVersion string !
 kind string !
 metadata meta/v1.ObjectMeta
 items []Object !
type stowage/v1.Object
 apiVersion string !
 kind string !
 metadata meta/v1.ObjectMeta
type stowage/v1.Scenario
 apiVersion string !
 kind string !
 title string !
 text string
 configuration config/v1.KubeSchedulerConfiguration
 kubernetesVersion string
 featureGates map[]bool
 plugins []PluginModule
 startTime string
 seed int64
 kubelet bool
 objects []Item
 steps []Step
type stowage/v1.Step
 note string
 at string
 advance string
 configure Configure
 apply Items
 patch Items
 delete References
 evict []string
 scheduleOne string
type stowage/v1.Configure
 configuration config/v1.KubeSchedulerConfiguration
 kubernetesVersion string
 featureGates map[]bool
 plugins []PluginModule
type stowage/v1.PluginModule
 source string !
type stowage/v1.Items
type stowage/v1.References
type stowage/v1.Reference
 apiVersion string !
 kind string !
 namespace string
 name string !
 metadata meta/v1.ObjectMeta
 repeat int32
 object Reference
type stowage/v1.Item
 apiVersion string
 kind string
 metadata meta/v1.ObjectMeta
 repeat int32
 object Object
 file string
type config/v1.KubeSchedulerConfiguration
 apiVersion string !
 kind string !
 profiles []KubeSchedulerProfile
 parallelism int32
 percentageOfNodesToScore int32
 podInitialBackoffSeconds int64
 podMaxBackoffSeconds int64
 extenders []Extender
 leaderElection LeaderElectionConfiguration
 clientConnection ClientConnectionConfiguration
 enableProfiling bool
 enableContentionProfiling bool
 delayCacheUntilActive bool
type config/v1.KubeSchedulerProfile
 schedulerName string
 plugins Plugins
 pluginConfig []PluginConfig
 percentageOfNodesToScore int32
type config/v1.Plugins
 multiPoint PluginSet
 preEnqueue PluginSet
 queueSort PluginSet
 preFilter PluginSet
 filter PluginSet
 postFilter PluginSet
 preScore PluginSet
 score PluginSet
 reserve PluginSet
 permit PluginSet
 preBind PluginSet
 bind PluginSet
 postBind PluginSet
 placementGenerate PluginSet
 placementScore PluginSet
type config/v1.PluginSet
 enabled []Plugin
 disabled []Plugin
type config/v1.Plugin
 name string !
 weight int32
type config/v1.PluginConfig
 name string !
 args PluginArgs
type config/v1.PluginArgs
type config/v1.DefaultPreemptionArgs
 apiVersion string
 kind string
 minCandidateNodesPercentage int32
 minCandidateNodesAbsolute int32
type config/v1.InterPodAffinityArgs
 apiVersion string
 kind string
 hardPodAffinityWeight int32
 ignorePreferredTermsOfExistingPods bool
type config/v1.NodeAffinityArgs
 apiVersion string
 kind string
 addedAffinity core/v1.NodeAffinity
type config/v1.NodeResourcesBalancedAllocationArgs
 apiVersion string
 kind string
 resources []ResourceSpec
type config/v1.NodeResourcesFitArgs
 apiVersion string
 kind string
 ignoredResources []string
 ignoredResourceGroups []string
 scoringStrategy ScoringStrategy
type config/v1.PodTopologySpreadArgs
 apiVersion string
 kind string
 defaultConstraints []core/v1.TopologySpreadConstraint
 defaultingType string
type config/v1.VolumeBindingArgs
 apiVersion string
 kind string
 bindTimeoutSeconds int64
 shape []UtilizationShapePoint
type config/v1.DynamicResourcesArgs
 apiVersion string
 kind string
 filterTimeout string
 bindingTimeout string
type config/v1.ScoringStrategy
 type string !
 resources []ResourceSpec
 requestedToCapacityRatio RequestedToCapacityRatioParam
type config/v1.ResourceSpec
 name string !
 weight int64
type config/v1.RequestedToCapacityRatioParam
 shape []UtilizationShapePoint !
type config/v1.UtilizationShapePoint
 utilization int32 !
 score int32 !
type config/v1.LeaderElectionConfiguration
 leaderElect bool
 leaseDuration string
 renewDeadline string
 retryPeriod string
 resourceLock string
 resourceName string
 resourceNamespace string
type config/v1.ClientConnectionConfiguration
 kubeconfig string
 acceptContentTypes string
 contentType string
 qps float64
 burst int32
type config/v1.Extender
 urlPrefix string !
 filterVerb string
 preemptVerb string
 prioritizeVerb string
 weight int64
 bindVerb string
 enableHTTPS bool
 tlsConfig ExtenderTLSConfig
 httpTimeout string
 nodeCacheCapable bool
 managedResources []ExtenderManagedResource
 ignorable bool
type config/v1.ExtenderTLSConfig
 insecure bool
 serverName string
 certFile string
 keyFile string
 caFile string
 certData bytes
 keyData bytes
 caData bytes
type config/v1.ExtenderManagedResource
 name string !
 ignoredByScheduler bool
`;
