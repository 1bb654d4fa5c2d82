// Objects as recorded from a v1.36 API server.
#pragma once

#include <string_view>

namespace stowage {

inline constexpr std::string_view kRecordedPod = R"json(
{"kind":"Pod","apiVersion":"v1","metadata":{"name":"big-0","namespace":"default","uid":
"330dcaf2-6363-409f-b7d7-b0ea6c93ef19","resourceVersion":"991","generation":1,
"creationTimestamp":"2026-11-21T03:28:30Z","labels":{"app":"big"},"managedFields":[{"manager":
"node","operation":"Update","apiVersion":"v1","time":"2026-11-21T03:28:30Z","fieldsType":
"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{
"k:{\"name\":\"c\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},"f:resources":{".":{
},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},
"f:terminationMessagePolicy":{}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{}
,"f:schedulerName":{},"f:securityContext":{},"f:terminationGracePeriodSeconds":{}}}},{"manager":
"kube-scheduler","operation":"Update","apiVersion":"v1","time":"2026-11-21T03:28:41Z",
"fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{".":{},
"k:{\"type\":\"PodScheduled\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},
"f:observedGeneration":{},"f:reason":{},"f:status":{},"f:type":{}}}}},"subresource":"status"},{
"manager":"node","operation":"Update","apiVersion":"v1","time":"2026-11-21T03:28:43Z",
"fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"PodScheduled\"}":{
"f:message":{}}},"f:nominatedNodeName":{}}},"subresource":"status"}]},"spec":{"containers":[{
"name":"c","image":"registry.k8s.io/pause:3.10","resources":{"requests":{"cpu":"64","memory":
"64Mi"}},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File",
"imagePullPolicy":"IfNotPresent"}],"restartPolicy":"Always","terminationGracePeriodSeconds":30,
"dnsPolicy":"ClusterFirst","securityContext":{},"schedulerName":"default-scheduler",
"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute",
"tolerationSeconds":300},{"key":"node.kubernetes.io/unreachable","operator":"Exists","effect":
"NoExecute","tolerationSeconds":300}],"priority":0,"enableServiceLinks":true,"preemptionPolicy":
"PreemptLowerPriority"},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled",
"observedGeneration":1,"status":"False","lastProbeTime":null,"lastTransitionTime":
"2026-11-21T03:28:30Z","reason":"Unschedulable","message":"0/5 nodes are available"}],
"nominatedNodeName":"node-0","qosClass":"Burstable"}}
)json";

inline constexpr std::string_view kRecordedNode = R"json(
{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-0","uid":
"542dc934-e5f0-48a6-8e10-ebdf2d9219cc","resourceVersion":"749","creationTimestamp":
"2026-11-21T03:28:29Z","labels":{"kubernetes.io/hostname":"node-0","topology.kubernetes.io/zone":
"zone-0"},"managedFields":[{"manager":"node","operation":"Update","apiVersion":"v1","time":
"2026-11-21T03:28:29Z","fieldsType":"FieldsV1","fieldsV1":{"f:metadata":{"f:labels":{".":{},
"f:kubernetes.io/hostname":{},"f:topology.kubernetes.io/zone":{}}}}}]},"spec":{},"status":{
"capacity":{"cpu":"4","memory":"16Gi","pods":"110"},"allocatable":{"cpu":"4","memory":"15Gi",
"pods":"110"},"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":
"2026-01-01T00:00:00Z","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"KubeletReady"}],
"daemonEndpoints":{"kubeletEndpoint":{"Port":0}},"nodeInfo":{"machineID":"","systemUUID":"",
"bootID":"","kernelVersion":"","osImage":"","containerRuntimeVersion":"","kubeletVersion":"",
"kubeProxyVersion":"","operatingSystem":"","architecture":""}}}
)json";

}  // namespace stowage
